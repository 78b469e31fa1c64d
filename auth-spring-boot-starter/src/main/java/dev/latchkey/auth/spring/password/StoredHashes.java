package dev.latchkey.auth.spring.password;

import java.util.List;

/** Where the service keeps its accounts' password hashes; asked when an operator evicts one account from the caches. */
@FunctionalInterface
public interface StoredHashes {

    /** The hashes that are stored for this account now; empty where there is no such account. */
    List<String> of(String account);
}
