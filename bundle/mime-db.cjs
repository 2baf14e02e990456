// In the bundle, in place of mime-db's 200 KB: the types that Express is asked about here.
module.exports = {
  'application/json': { extensions: ['json'], charset: 'UTF-8' },
  'application/octet-stream': { extensions: ['bin'] },
  'image/svg+xml': { extensions: ['svg'], charset: 'UTF-8' },
  'text/css': { extensions: ['css'], charset: 'UTF-8' },
  'text/html': { extensions: ['html'], charset: 'UTF-8' },
  'text/javascript': { extensions: ['js'], charset: 'UTF-8' },
  'text/plain': { extensions: ['txt'], charset: 'UTF-8' },
};
