import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type ExampleProduct, installExampleProduct } from './example-product.ts'
import { run } from './project.ts'

let product: ExampleProduct
beforeAll(async () => {
  product = await installExampleProduct(inject('tarballs'))
})
afterAll(() => product?.remove())

describe('the example product', () => {
  it('type-checks', async () => {
    expect(await run(['node_modules/.bin/tsc'], { cwd: product.folder })).toMatchObject({
      code: 0,
      output: '',
    })
  })

  it('synthesizes a stack with the service and its own API, without circular references', async () => {
    const { code, output } = await run(['npx', 'cdk', 'synth', '--quiet'], { cwd: product.folder })
    expect(code, output).toBe(0)
    const text = readFileSync(join(product.folder, 'cdk.out/MediaLibrary.template.json'), 'utf8')
    const { Resources } = JSON.parse(text) as { Resources: Record<string, { Type: string }> }
    const count = (type: string) => Object.values(Resources).filter(({ Type }) => Type === type).length
    expect(count('AWS::ApiGatewayV2::Api')).toBe(2)
    expect(count('Custom::Trigger')).toBe(1)
    expect(findCircle(Resources)).toEqual([])
  })
})

/** The resources of a template that depend on each other in a circle. */
const findCircle = (resources: Readonly<Record<string, unknown>>): readonly string[] => {
  const names = Object.keys(resources)
  const needs = new Map(
    names.map((name) => [name, listReferences(resources[name]).filter((one) => names.includes(one))]),
  )
  const done = new Set<string>()
  for (let isChanged = true; isChanged; ) {
    const ready = names.filter((name) => !done.has(name) && needs.get(name)?.every((one) => done.has(one)))
    for (const name of ready) done.add(name)
    isChanged = ready.length > 0
  }
  return names.filter((name) => !done.has(name))
}

const listReferences = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'Ref' || key === 'DependsOn') return [inner].flat().map(String)
    if (key === 'Fn::GetAtt') return [String(inner[0])]
    if (key === 'Fn::Sub')
      return [...String([inner].flat()[0]).matchAll(/\$\{([^.}]+)/g)].map(([, name = '']) => name)
    return listReferences(inner)
  })
}
