import { execFileSync } from 'node:child_process'
import type { Block } from './markdown.ts'

/** One command of a `sh` block, with the output that the comment lines below it show. */
export interface ShellCommand {
  readonly text: string
  readonly expected: string | undefined
}

const isComplete = (text: string): boolean => {
  if (/\\$/.test(text)) return false
  try {
    execFileSync('bash', ['-n', '-c', text], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The words of a command, as a shell passes them on. */
export const wordsOf = (command: string): readonly string[] =>
  execFileSync('bash', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1)

/** The commands of several blocks. Those in other languages are left out. */
export const commandTextsOf = (blocks: readonly Block[]): readonly string[] =>
  blocks.flatMap(({ language, text }) => (language === 'sh' ? commandsOf(text).map((one) => one.text) : []))

/** The commands of a `sh` block. Comment lines directly below a command are its expected output. */
export const commandsOf = (block: string): readonly ShellCommand[] => {
  const commands: { text: string; expected: string | undefined }[] = []
  let pending = ''
  let follows = false
  for (const line of block.split('\n')) {
    if (pending === '' && line.trim() === '') follows = false
    else if (pending === '' && line.startsWith('#')) {
      const last = commands.at(-1)
      if (follows && last)
        last.expected = [last.expected, line.replace(/^# ?/, '')].filter(Boolean).join('\n')
    } else {
      pending = pending === '' ? line : `${pending}\n${line}`
      if (!isComplete(pending)) continue
      commands.push({ text: pending.trim(), expected: undefined })
      pending = ''
      follows = true
    }
  }
  if (pending !== '') throw new Error(`the command is not complete: ${pending}`)
  return commands
}

const normalized = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/**
 * Whether an output is as documented: `…` stands for any text, everything else must appear in this order. An expected
 * status line is compared with the first line of the output.
 */
export const matchesOutput = (expected: string, actual: string): boolean => {
  const output = normalized(expected.startsWith('HTTP/') ? (actual.split('\n')[0] ?? '') : actual)
  const parts = normalized(expected).split(/ ?… ?/)
  let at = 0
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1
    const found = isLast && part !== '' ? output.lastIndexOf(part) : output.indexOf(part, at)
    if (found < at || (index === 0 && found > 0)) return false
    at = found + part.length
    if (isLast && part !== '' && at !== output.length) return false
  }
  return true
}
