/** The commit that this was built from, as the build names it in `SOURCE_COMMIT`, or `unknown`. */
export const commit = process.env['SOURCE_COMMIT'] ?? 'unknown'
