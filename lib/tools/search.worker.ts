import { runSearch } from './search'
import { answerJob } from './worker'

answerJob(async (job: Parameters<typeof runSearch>[0]) => runSearch(job))
