import type { Page } from 'playwright-core';
import type { World } from './world.ts';

/** How a page is reached, in a browser without cookies. */
export type Stop = (page: Page, world: World) => Promise<unknown>;
