import { describe, expect, it } from 'vitest'
import { buildProductUrl, readLinkProducts } from '../../lib/kernel/settings/link-products.ts'

const origins = ['https://shop.example.com', 'https://cinema.example.com:8443']
const read = (text: string) => readLinkProducts(text, origins)

describe('the products of access links', () => {
  it('are one URL, or several with names', () => {
    expect(read('')).toEqual([])
    expect(read('https://shop.example.com/shared?link={id}')).toEqual([
      { name: 'shop.example.com', url: 'https://shop.example.com/shared?link={id}' },
    ])
    expect(
      read(' The shop = https://shop.example.com/s , Cinema=https://cinema.example.com:8443/?a=b ,'),
    ).toEqual([
      { name: 'The shop', url: 'https://shop.example.com/s' },
      { name: 'Cinema', url: 'https://cinema.example.com:8443/?a=b' },
    ])
  })

  it('contain the ID of the link', () => {
    expect(buildProductUrl({ url: 'https://shop.example.com/{id}/x?y={id}' }, 17)).toBe(
      'https://shop.example.com/17/x?y=17',
    )
  })

  it.each([
    'shop',
    '/shared',
    'https://evil.example/',
    'https://shop.example.com.evil.example/',
    'https://shop.example.com@evil.example/',
    'https://user@shop.example.com/',
    'https://shop.example.com:8443/',
    'http://shop.example.com/',
    'https://{id}.example.com/',
    'https:\\\\shop.example.com/',
    'https://shop.example.com/\u0000',
    'https://shop.example.com/a b',
    'javascript:alert(1)',
    'Shop=',
    '=https://shop.example.com/',
    `${'x'.repeat(41)}=https://shop.example.com/`,
    'Shop=https://shop.example.com/a,Shop=https://shop.example.com/b',
    'https://shop.example.com/,shop',
    `https://shop.example.com/${'x'.repeat(1000)}`,
  ])('are refused: %j', (text) => {
    expect(read(text)).toMatch(/^must /)
  })
})
