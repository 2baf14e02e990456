import { dashboardStops } from './dashboard-stops.ts';
import { gateStops } from './gate-stops.ts';
import type { Stop } from './stop.ts';

/** Every page there is, in every state that looks different: what must hold on all pages is tested on these. */
export const tour: Readonly<Record<string, Stop>> = { ...gateStops, ...dashboardStops };
