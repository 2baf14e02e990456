import { createRows } from '../../src/resources/rows.ts';
import { describeRows } from './rows-contract.ts';

describeRows('rows in memory', createRows);
