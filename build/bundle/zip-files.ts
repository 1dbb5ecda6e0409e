import { zipSync } from 'fflate'

/** A file of a function. */
export interface BundledFile {
  readonly name: string
  readonly contents: Uint8Array
}

/** The library writes the date and time that the machine shows, so this is the same in each time zone. */
const fixedTime = new Date(1980, 0, 1, 12)

/** The number of Unix in the format of zip files, and the right of everybody to read a file. */
const [unix, readable] = [3, 0o100644 << 16]

/**
 * Puts the files of a function into a zip file, which has the same bytes on every machine: order, times and modes are fixed, and the
 * compression is that of a library in JavaScript. The one in Node.js depends on its version and on the processor. So Lambda
 * shows the same `CodeSha256` in every account.
 */
export const zipFiles = (files: readonly BundledFile[]): Uint8Array =>
  zipSync(
    Object.fromEntries(
      files
        .toSorted((one, other) => (one.name < other.name ? -1 : 1))
        .map(({ name, contents }) => [name, contents]),
    ),
    // Higher levels take several times as long for some functions, and save less than one percent.
    { level: 4, mtime: fixedTime, os: unix, attrs: readable },
  )
