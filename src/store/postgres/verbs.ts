// The verbs of the port, and the locks that they take, are the same for both databases.
export { lockAccountOf, lockEveryAccount, lockTickets, type Verbs } from '../sql.js';
