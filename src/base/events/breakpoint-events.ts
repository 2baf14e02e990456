/** A breakpoint holds a finished response back. */
export interface ResponseHeld {
  readonly type: 'response.held';
  /** `brk_…` */
  readonly breakpointId: string;
  readonly endpoint: string;
  readonly status: number;
  /** The address that a redirect leads to. */
  readonly location?: string;
}

/** A held response went on its way. */
export interface ResponseContinued {
  readonly type: 'response.continued';
  readonly endpoint: string;
  /** `breakpoint`: the breakpoint was removed; `time`: its time was over; `gone`: the client closed the connection. */
  readonly by: 'call' | 'breakpoint' | 'time' | 'gone';
}

export type BreakpointEvent = ResponseHeld | ResponseContinued;
