export function chosenPacks(files: readonly string[]): { file: string; what: string; most: number }[];
