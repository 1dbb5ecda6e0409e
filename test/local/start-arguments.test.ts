import { execFile } from 'node:child_process'
import { expect, it } from 'vitest'
import { findMisspeltVariables } from '../../local/settings.ts'
import { startLocalService } from '../../local/start-local-service.ts'
import { runStart } from '../support/local-service.ts'

const npmStart = (...args: readonly string[]) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile('npm', ['start', '--silent', '--', ...args], (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    )
  })

it('npm start prints its help instead of starting', async () => {
  const { code, stdout } = await npmStart('--help')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^Runs Latchkey on this machine/)
})

it('npm start refuses other arguments, because its settings are environment variables', async () => {
  const { code, stderr } = await npmStart('--port=1')
  expect(code).toBe(2)
  expect(stderr).toContain('start takes no argument "--port=1". Did you mean PORT=…?')
})

it.each([
  ['--hlep', 'Did you mean --help?'],
  ['--data-dri', 'Did you mean DATA_DIR=…?'],
  ['somewhere', 'Its settings are environment variables.'],
])('npm start asks after %s: %s', async (argument, question) => {
  const { code, stderr } = await npmStart(argument)
  expect({ code, question: stderr.includes(question) }, stderr).toEqual({ code: 2, question: true })
})

it('npm start names variables that are probably meant as settings', async () => {
  const names = [
    'ALLOWED_ORIGN',
    'LATCHKEY_PORT',
    'LATCHKEY_COLOR',
    'LOGLEVEL',
    'HOME',
    'XDG_DATA_DIRS',
    'PORT',
  ]
  expect(findMisspeltVariables([...names, 'LATCHKEY_TOKEN', 'TABLE_NAME', 'HOST', 'PATH'])).toEqual([
    'ALLOWED_ORIGN is not a setting. Did you mean ALLOWED_ORIGINS?',
    'LATCHKEY_PORT is not a setting. Did you mean PORT?',
    'LATCHKEY_COLOR is not a setting. latchkey start --help lists all settings.',
    'LOGLEVEL is not a setting. Did you mean LOG_LEVEL?',
  ])
  const { exited, stderr } = runStart({ ALLOWED_ORIGN: 'https://a.example', PORT: 'no number' })
  expect(await exited).toBe(1)
  expect(stderr()).toMatch(/^ALLOWED_ORIGN is not a setting\. Did you mean ALLOWED_ORIGINS\?\nPORT must /)
})

it('a program that starts local mode with a misspelt setting gets the question as an error', async () => {
  const starting = startLocalService({ adminPassword: 'x'.repeat(12), settings: { ALLOWED_ORIGN: 'x' } })
  await expect(starting).rejects.toThrow('ALLOWED_ORIGN is not a setting. Did you mean ALLOWED_ORIGINS?')
})
