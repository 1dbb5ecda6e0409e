const columns = 80

/** Breaks a text into lines that fit a terminal, each with the indent. A longer word, such as an address, stays whole. */
export const wrapText = (text: string, indent: string): string => {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= columns)
      lines[lines.length - 1] = `${line} ${word}`
    else lines.push(indent + word)
  }
  return lines.join('\n')
}
