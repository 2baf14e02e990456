import { fileSchema } from '../config/file-schema.ts';
import { type Command, done } from './command.ts';

/** `grantbox schema`. */
export const schemaCommand: Command = {
  usage: '',
  about: [
    'Prints the JSON Schema of a configuration file. The same is in the package, as dist/clients.config.schema.json: name it in the member $schema of a JSON file, and the editor completes and checks what is typed.',
  ],
  flags: [],
  examples: [['grantbox schema > clients.config.schema.json', 'beside the file']],
  run: async () => done(JSON.stringify(fileSchema())),
};
