package dev.latchkey.tests.simulator;

/** Planted faults, each in a single place: the simulator must find every fault. */
enum Fault {
    NONE,
    /** Defect D5: a repeated write sends its token to the client, though the store has another token by then. */
    LOST_RACE_IS_TOLD,
    /** Replaces a session without a comparison of the token. */
    REPLACES_WITHOUT_COMPARING,
    /** A late refresh stores an ended session again. */
    REPLACES_WHAT_HAS_ENDED,
    /** Acknowledges a change before the replica has the change, although the setting waits for the replica. */
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
    /** A copy reads on behind a position, and misses an earlier position that comes later. */
    COPY_MISSES_LATE_ROWS,
    /** That the store has gone back is not noticed. */
    COPY_NOTICES_NO_LOSS,
    /** A lost store of revocations reports no revocation. */
    OUTAGE_ACCEPTS,
    /** A refresh asks the copy, and not the store, whether its subject was revoked. */
    REFRESH_ASKS_THE_COPY,
    /** Services of one server share a name. */
    SERVICES_SHARE,
    /** Defect D8: each call has a deadline, and all of a request have none. */
    DEADLINE_PER_CALL;

    /** Whether the fault could show in such a history. The search leaves all other histories out. */
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
