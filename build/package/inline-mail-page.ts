import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'

const call = "res.sendFile(path_1.default.join(__dirname, '../static/index.html'))"

/**
 * Puts the page that shows emails into the code of the mail endpoint. As a file, it would not be found in the bundle, and
 * not be sent from a folder such as `.pnpm`, because the name begins with a dot. The build fails if the code has changed.
 */
export const inlineMailPage: Plugin = {
  name: 'inline-mail-page',
  setup(build) {
    build.onLoad({ filter: /aws-ses-v2-local[\\/]dist[\\/]index\.js$/ }, async ({ path }) => {
      const code = await readFile(path, 'utf8')
      if (!code.includes(call)) return { errors: [{ text: `${path} no longer contains ${call}.` }] }
      const page = await readFile(path.replace(/dist[\\/]index\.js$/, 'static/index.html'), 'utf8')
      return { contents: code.replace(call, () => `res.type('html').send(${JSON.stringify(page)})`) }
    })
  },
}
