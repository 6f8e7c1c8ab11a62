import { runShell, type ShellJob } from './shell'
import { answerJob } from './worker'

answerJob((job: ShellJob) => runShell(job))
