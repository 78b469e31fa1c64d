package dev.latchkey.auth.jdbc.databases;

/** The operations of each store on a row, in the words of the contract. */
interface Rows {

    void write(String id);

    boolean has(String id);

    /** Writes a row that is there already. */
    default void writeAgain(String id) {
        write(id);
    }

    /** Replaces the first content. Of several writers, a single writer gets {@code true}. */
    boolean replace(String id);

    /** Whether the row was there. */
    boolean remove(String id);
}
