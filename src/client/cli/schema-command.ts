import { fileSchema } from '../../sandbox/config/file-schema.ts';
import { settingsWith } from '../../sandbox/config/settings.ts';
import { type Command, done } from './command.ts';

/** `grantbox schema`. */
export const command: Command = {
  usage: '',
  about: [
    'Prints the JSON Schema of a configuration file. The package has the same schema as dist/clients.config.schema.json. Name it in the member $schema of a JSON file, and the editor completes and checks the file.',
  ],
  flags: [],
  examples: [['grantbox schema > clients.config.schema.json', 'write the schema beside the file']],
  run: async (_given, { modules }) => done(JSON.stringify(fileSchema(settingsWith(modules)))),
};
