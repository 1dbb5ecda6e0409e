import { readFileSync } from 'node:fs'

const readVersion = (): string => {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
  return version
}

export const version = readVersion()
