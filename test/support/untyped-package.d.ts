/*
 * Stands in for packages whose types a check does not need. Everything that is imported from here has the type `any`. The
 * AWS CDK alone is half of what TypeScript would load for the sources.
 */
export {}
