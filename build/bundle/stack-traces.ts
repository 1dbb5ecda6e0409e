import type { SourceMap } from 'node:module'

/*
 * Part of each bundle, so that stack traces name source files and lines. `--enable-source-maps` does the same but
 * costs 3 ms at each cold start. This code reads the map only when the first stack trace is formatted. Modules of Node are
 * loaded then as well. An import would run before each file of a bundle, because this file does.
 */

const folder = import.meta.url.slice(0, import.meta.url.lastIndexOf('/') + 1)
const maps = new Map<string, SourceMap>()

const readMap = (file: string): SourceMap => {
  const known = maps.get(file)
  if (known) return known
  const { readFileSync } = process.getBuiltinModule('node:fs')
  const { SourceMap } = process.getBuiltinModule('node:module')
  const map = new SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`), 'utf8')))
  maps.set(file, map)
  return map
}

const mapFrame = (frame: NodeJS.CallSite): string => {
  const [line, column] = [frame.getLineNumber(), frame.getColumnNumber()]
  const file = frame.getFileName()
  if (!file?.startsWith(folder) || line === null || column === null) return String(frame)
  const origin = readMap(file).findOrigin(line, column)
  if (!('fileName' in origin)) return String(frame)
  const name = `${frame.isAsync() ? 'async ' : ''}${origin.name ?? frame.getFunctionName() ?? '<anonymous>'}`
  return `${name} (${origin.fileName.replace(/^(\.\.\/)+/, '')}:${origin.lineNumber}:${origin.columnNumber})`
}

const describeFrame = (frame: NodeJS.CallSite): string => {
  try {
    return mapFrame(frame)
  } catch {
    return String(frame)
  }
}

// The AWS SDK alone fills the usual 10 frames of an error that DynamoDB returns.
Error.stackTraceLimit = 30

Error.prepareStackTrace = (error, frames) =>
  [String(error), ...frames.map((frame) => `    at ${describeFrame(frame)}`)].join('\n')
