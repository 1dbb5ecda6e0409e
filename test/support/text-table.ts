/** Formats rows as a table: the first column is left-aligned, the others are right-aligned. */
export const textTable = (
  headings: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string => {
  const lines = [headings, ...rows].map((row) => row.map(String))
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const laidOut = lines.map((line) =>
    line
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
  return `${laidOut.toSpliced(1, 0, widths.map((width) => '-'.repeat(width)).join('  ')).join('\n')}\n`
}
