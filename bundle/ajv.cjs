// In the bundle, in place of ajv and ajv-formats: the MCP SDK loads them to check the answers to elicitations, and Grantbox asks for none.
module.exports = () => {
  throw new Error('ajv is not in this bundle');
};
