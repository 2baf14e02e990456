export declare const costlyPaths: readonly string[];
/** A name, and a form as it is on the wire. */
export declare const costlyForms: readonly (readonly [what: string, encoded: string])[];
