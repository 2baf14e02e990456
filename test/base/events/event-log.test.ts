import { createEventLog } from '../../../src/base/events/event-log.ts';
import { describeEventLog } from './event-log-contract.ts';

describeEventLog('the event log in memory', createEventLog);
