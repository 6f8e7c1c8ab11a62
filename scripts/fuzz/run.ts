/** What `npm run fuzz` runs: more cases than a test suite has time for. */

export { fuzzForeign } from '../../lib/formats/testing/fuzz'
