import { createEventLog } from '../../src/events/event-log.ts';
import { describeEventLog } from './event-log-contract.ts';

describeEventLog('the event log in memory', createEventLog);
