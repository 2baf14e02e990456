// In the bundle, in place of body-parser: Express loads it whether it is used or not, and with it 600 KB of character sets.
// Bodies are read by src/server/http/read-parameters.ts and src/server/resources/json-body.ts.
const absent = () => {
  throw new Error('body-parser is not in this bundle');
};
module.exports = { json: absent, raw: absent, text: absent, urlencoded: absent };
