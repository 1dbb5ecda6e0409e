import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'
import manifest from '../../package.json' with { type: 'json' }
import type { Component } from '../package/components.ts'
import { packages } from '../package/packages.ts'

/*
 * Writes bills of materials in the format CycloneDX, after `npm run build:package`: one into each package, and one for each function
 * to `dist/release/sbom`. They have neither a time nor a random number, so that each build of a commit writes the same.
 */

type Listed = Omit<Component, 'texts'>

interface ListedComponents {
  readonly packages: Readonly<Record<keyof typeof packages, readonly Listed[]>>
  readonly functions: Readonly<Record<string, readonly Listed[]>>
}

const dist = fileURLToPath(new URL('../../dist', import.meta.url))
const listed: ListedComponents = JSON.parse(readFileSync(join(dist, 'components.json'), 'utf8'))

const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6))

const createComponent = (
  type: Enums.ComponentType,
  { name, version, license, integrity }: Listed,
): Models.Component => {
  const [, group, shortName = name] = /^(@[^/]+)\/(.+)$/.exec(name) ?? []
  const purl = `pkg:npm/${name.replace(/^@/, '%40')}@${version}`
  const component = new Models.Component(type, shortName, { version, bomRef: purl })
  // A function is no package of the registry.
  if (type === Enums.ComponentType.Library) component.purl = purl
  if (group !== undefined) component.group = group
  component.licenses.add(
    / (?:OR|AND|WITH) /.test(license)
      ? new Models.LicenseExpression(license)
      : new Models.SpdxLicense(license),
  )
  const [, digest] = /^sha512-([\w+/=]+)$/.exec(integrity ?? '') ?? []
  if (digest !== undefined)
    component.hashes.set(Enums.HashAlgorithm['SHA-512'], Buffer.from(digest, 'base64').toString('hex'))
  return component
}

const { version, license } = manifest

const formatSbom = (type: Enums.ComponentType, name: string, parts: readonly Listed[]): string => {
  const subject = createComponent(type, { name, version, license, integrity: undefined })
  const components = parts.map((part) => createComponent(Enums.ComponentType.Library, part))
  for (const { bomRef } of components) subject.dependencies.add(bomRef)
  const bom = new Models.Bom({
    metadata: new Models.Metadata({ component: subject }),
    components: new Models.ComponentRepository(components),
  })
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`
}

for (const [key, { name, folder }] of Object.entries(packages))
  writeFileSync(
    join(dist, folder, 'sbom.cdx.json'),
    formatSbom(Enums.ComponentType.Library, name, listed.packages[key as keyof typeof packages]),
  )
mkdirSync(join(dist, 'release/sbom'), { recursive: true })
for (const [name, parts] of Object.entries(listed.functions))
  writeFileSync(
    join(dist, `release/sbom/${name}.cdx.json`),
    formatSbom(Enums.ComponentType.Application, `latchkey-${name}`, parts),
  )
