/** A sentence for each lesson in the folder that nobody has compared with its specifications for a year. */
export function oldLessons(folder: string, today: Date): string[];
