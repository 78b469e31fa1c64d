package dev.latchkey.auth.jdbc.databases;

/** What every store can do with one of its rows, in the words of the contract. */
interface Rows {

    void write(String id);

    boolean has(String id);

    /** Replaces what was written first. Of several writers one gets {@code true}. */
    boolean replace(String id);

    /** Whether the row was there. */
    boolean remove(String id);
}
