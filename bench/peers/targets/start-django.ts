import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { startProgram } from '../../load/child-server.ts'
import { jsonRequest } from '../../load/plan.ts'
import { eachPerson, password, people, repeatJob, type Target, usernameOf } from '../../load/scenarios.ts'
import { createPeerFolder } from './peer-folder.ts'

/** Debian's own interpreter has the packages, even if the `PATH` names another. */
const python = '/usr/bin/python3'
const djangoFolder = join(process.cwd(), 'bench/peers/django')

/** Django with its REST framework: Gunicorn with two workers, SQLite in a file. */
export const startDjango = async (): Promise<Target> => {
  const { database, remove } = createPeerFolder()
  const env = { ...process.env, DATABASE: database, PYTHONDONTWRITEBYTECODE: '1' }
  const seed = async (rows: number): Promise<string[]> => {
    const args = ['seed.py', String(rows), String(people), password]
    return JSON.parse(execFileSync(python, args, { cwd: djangoFolder, env, encoding: 'utf8' }))
  }
  const tokens = await seed(people)
  const command = [
    '/usr/bin/gunicorn',
    '--workers',
    '2',
    '--worker-class',
    'gthread',
    '--threads',
    '4',
    '--log-level',
    'error',
  ]
  const child = await startProgram(
    (port) => ['/usr/bin/env', ...command, '--keep-alive', '60', '--bind', `127.0.0.1:${port}`, 'wsgi'],
    { cwd: djangoFolder, env },
  )
  const { url } = child
  const signIns = eachPerson((at) =>
    jsonRequest('POST', '/sign-in', { body: { username: usernameOf(at), password } }),
  )
  const sessions: string[] = []
  for (const { path, headers, body } of signIns) {
    const response = await fetch(url + path, { method: 'POST', headers, ...(body ? { body } : {}) })
    sessions.push(
      response.headers
        .getSetCookie()
        .find((line) => line.startsWith('sessionid='))
        ?.split(';')[0] ?? '',
    )
  }
  const byToken = (path: string, token = '') =>
    jsonRequest('GET', path, { headers: { authorization: `Token ${token}` } })
  return {
    name: 'Django REST framework',
    roots: [child.pid],
    jobs: {
      'sign-in': repeatJob(url, signIns),
      'who-am-i': repeatJob(
        url,
        sessions.map((cookie) => jsonRequest('GET', '/session/me', { headers: { cookie } })),
      ),
      'api-token': repeatJob(
        url,
        tokens.map((token) => byToken('/token/me', token)),
      ),
      page: repeatJob(url, [byToken('/users', tokens[0])]),
    },
    seed: async (rows) => {
      await seed(rows)
    },
    close: async () => {
      await child.close()
      remove()
    },
  }
}
