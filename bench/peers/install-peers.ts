import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { PeerName } from './options.ts'

/** The result of an installation: the version, or the reason why there is none. */
export type Installation = { readonly version: string } | { readonly problem: string }

const folder = join(process.cwd(), 'bench/peers')
const python = '/usr/bin/python3'
const readVersions =
  'import django, rest_framework, gunicorn, bcrypt; print(django.__version__, rest_framework.__version__, gunicorn.__version__)'
const debianPackages = ['python3-django', 'python3-djangorestframework', 'gunicorn', 'python3-bcrypt']

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? ''

const findDjango = (): string | undefined => {
  const { status, stdout } = spawnSync(python, ['-c', readVersions], { encoding: 'utf8' })
  if (status !== 0) return undefined
  const [django, rest, gunicorn] = stdout.trim().split(' ')
  return `Django ${django}, REST framework ${rest}, Gunicorn ${gunicorn}`
}

/** Installs Debian's packages of Django, if they are missing. This needs root. */
const installDjango = (): Installation => {
  const found = findDjango()
  if (found) return { version: found }
  const args = ['install', '--yes', '--no-install-recommends', ...debianPackages]
  const { error, stderr } = spawnSync('apt-get', args, { encoding: 'utf8' })
  const version = findDjango()
  return version ? { version } : { problem: `apt-get install failed: ${error?.message ?? lastLine(stderr)}` }
}

/** Installs the packages of the lock, if they are missing or the lock has changed. Native builds are left out. */
const installPackages = (): string | undefined => {
  const marker = join(folder, 'node_modules/.package-lock.json')
  const isCurrent =
    existsSync(marker) && statSync(marker).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs
  if (isCurrent) return undefined
  try {
    const args = ['ci', '--prefix', folder, '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund']
    execFileSync('npm', args, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' })
    return undefined
  } catch (error) {
    return `npm ci failed: ${lastLine(String(error))}`
  }
}

const packageOf: Readonly<Record<Exclude<PeerName, 'django'>, string>> = {
  'better-auth': 'better-auth',
  openauth: '@openauthjs/openauth',
  'saml-jackson': '@boxyhq/saml-jackson',
}

const readVersion = (name: string): string => {
  const path = join(folder, 'node_modules', name, 'package.json')
  return createRequire(import.meta.url)(path).version
}

/** Installs what is missing for these peers, and returns their versions. */
export const installPeers = (names: readonly PeerName[]): ReadonlyMap<PeerName, Installation> => {
  const needsPackages = names.some((name) => name !== 'django')
  const problem = needsPackages ? installPackages() : undefined
  return new Map(
    names.map((name): [PeerName, Installation] => {
      if (name === 'django') return [name, installDjango()]
      if (problem) return [name, { problem }]
      return [name, { version: `${packageOf[name]} ${readVersion(packageOf[name])}` }]
    }),
  )
}
