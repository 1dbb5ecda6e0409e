import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../infra/app.ts'
import type { JsonValue } from '../support/client.ts'

export interface Resource {
  readonly Type: string
  readonly Properties: JsonValue
  readonly DeletionPolicy?: string
}

export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>
  readonly Outputs: Readonly<Record<string, { readonly Value: JsonValue }>>
}

export interface Synthesis {
  readonly outdir: string
  readonly template: Template
  /** What CDK, or a rule of cdk-nag, had to say: `error /Latchkey/Auth/… text`. */
  readonly messages: readonly string[]
  /** The folder of a function's code. */
  readonly assetOf: (functionId: string) => string
  readonly remove: () => void
}

/**
 * Synthesises the app as `cdk synth` does, with settings as `-c name=value` gives them. In the folder of another
 * synthesis the functions are bundled already.
 */
export const synthesise = (
  context: Readonly<Record<string, string>> = {},
  outdir = mkdtempSync(join(tmpdir(), 'latchkey-synth-')),
): Synthesis => {
  const remove = () => rmSync(outdir, { recursive: true, force: true })
  try {
    const { template, messages } = createApp({ outdir, context }).synth().getStackByName('Latchkey')
    return {
      outdir,
      template,
      messages: messages.map(({ level, id, entry }) => `${level} ${id} ${entry.data}`),
      assetOf: (functionId) => {
        const { S3Key } = template.Resources[functionId]?.Properties.Code ?? {}
        return join(outdir, `asset.${String(S3Key).replace(/\.zip$/, '')}`)
      },
      remove,
    }
  } catch (error) {
    remove()
    throw error
  }
}

/** The resources of a type, by logical id. */
export const resourcesOf = (
  { Resources }: Template,
  type: string,
): readonly (readonly [string, Resource])[] =>
  Object.entries(Resources).filter(([, { Type }]) => Type === type)
