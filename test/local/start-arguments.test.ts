import { execFile } from 'node:child_process'
import { expect, it } from 'vitest'

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
  expect(stderr).toContain('start takes no argument "--port=1"')
})
