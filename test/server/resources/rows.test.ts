import { createRows } from '../../../src/server/resources/rows.ts';
import { describeRows } from './rows-contract.ts';

describeRows('rows in memory', createRows);
