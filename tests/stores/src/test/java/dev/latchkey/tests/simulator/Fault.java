package dev.latchkey.tests.simulator;

/** Faults that are planted, each in one place: the simulator has to find every one of them. */
enum Fault {
    NONE,
    /** Defect D5: a token that was put into the store once more is told, though the store has another one by then. */
    LOST_RACE_IS_TOLD,
    /** A login is replaced without a look at the token that it has. */
    REPLACES_WITHOUT_COMPARING,
    /** A login that has ended is put there again by a refresh that was on its way. */
    REPLACES_WHAT_HAS_ENDED,
    /** A change is acknowledged that the replica does not have, though it is to be waited for. */
    WAITS_FOR_NO_REPLICA,
    /** Logins are read where they come late. */
    READS_FROM_THE_REPLICA,
    /** An account's logins are listed where they come late. */
    LISTS_FROM_THE_REPLICA,
    /** What replaced a token is not kept. */
    FORGETS_THE_SEED,
    /** The race window does not end. */
    WINDOW_WITHOUT_END,
    /** A revocation is acknowledged and not recorded. */
    RECORDS_NO_TOKEN,
    /** A bound of a subject goes back where a node's clock is behind. */
    BOUND_GOES_BACK,
    /** A copy of revocations is fresh for ever. */
    COPY_IS_NEVER_STALE,
    /** A copy reads on behind a position that another one comes before, later. */
    COPY_MISSES_LATE_ROWS,
    /** That the store has gone back is not noticed. */
    COPY_NOTICES_NO_LOSS,
    /** A store of revocations that is gone says that nothing is revoked. */
    OUTAGE_ACCEPTS,
    /** A refresh asks the copy, and not the store, whether its subject was revoked. */
    REFRESH_ASKS_THE_COPY,
    /** Services of one server have one name. */
    SERVICES_SHARE,
    /** Defect D8: each call has a deadline, and all of a request have none. */
    DEADLINE_PER_CALL;

    /** Whether it could show in such a history: others are left out of the search for it. */
    boolean concerns(Setting setting) {
        return switch (this) {
            case WAITS_FOR_NO_REPLICA -> setting.waits();
            case SERVICES_SHARE -> setting.hasOtherService();
            case LISTS_FROM_THE_REPLICA -> setting.most() > 0;
            case RECORDS_NO_TOKEN, COPY_IS_NEVER_STALE -> setting.isAboutRevocations();
            case BOUND_GOES_BACK ->
                setting.isAboutRevocations() && !setting.skew().isZero();
            case COPY_MISSES_LATE_ROWS -> setting.isAboutRevocations() && setting.isDatabase();
            case COPY_NOTICES_NO_LOSS -> setting.isAboutRevocations() && !setting.isDatabase();
            case LOST_RACE_IS_TOLD, REPLACES_WHAT_HAS_ENDED -> !setting.isAboutRevocations();
            default -> true;
        };
    }
}
