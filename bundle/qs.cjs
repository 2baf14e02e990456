// In the bundle, in place of qs: Express loads it for its extended query parser; the simple one, which is the default, is of Node.
const absent = () => {
  throw new Error('qs is not in this bundle');
};
module.exports = { parse: absent, stringify: absent };
