export function sourceNumbers(
  folder: string,
): { readonly what: string; readonly is: number; readonly most: number; readonly goal: number }[];
