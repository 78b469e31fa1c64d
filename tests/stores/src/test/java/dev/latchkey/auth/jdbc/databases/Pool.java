package dev.latchkey.auth.jdbc.databases;

import java.util.ArrayList;
import java.util.List;

/** How a service has set up its pool. */
record Pool(Commits commits, String isolation, int size) {

    enum Commits {
        BY_ITSELF,
        WHERE_IT_IS_TOLD
    }

    static final Pool DEFAULT = new Pool(Commits.BY_ITSELF, "TRANSACTION_READ_COMMITTED", 10);

    static List<Pool> all() {
        List<Pool> all = new ArrayList<>();
        for (Commits commits : Commits.values()) {
            for (String isolation :
                    List.of("TRANSACTION_READ_COMMITTED", "TRANSACTION_REPEATABLE_READ", "TRANSACTION_SERIALIZABLE")) {
                all.add(new Pool(commits, isolation, 10));
            }
        }
        return all;
    }

    Pool ofOne() {
        return new Pool(commits, isolation, 1);
    }
}
