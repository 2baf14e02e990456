#!/usr/bin/env node
// What package.json names. Where it is the program, Node keeps the compiled code for the next start (Node 22.8 and newer).
const isProgram = require.main === module;
if (isProgram) require('node:module').enableCompileCache?.();
module.exports = require('./program.cjs');
if (isProgram) module.exports.main();
