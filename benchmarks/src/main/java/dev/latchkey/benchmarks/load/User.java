package dev.latchkey.benchmarks.load;

/** One virtual user of a load: who it is this time, and the token that it was given. Lives on the generator's one thread. */
final class User {

    private final int number;
    private String account = "";
    private String token = "";
    private long askedAt;

    User(int number) {
        this.number = number;
    }

    /** From 0, different for each user that is there at the same time. */
    int number() {
        return number;
    }

    String account() {
        return account;
    }

    void become(String account) {
        this.account = account;
        this.token = "";
    }

    /** Empty if it has none. */
    String token() {
        return token;
    }

    void asks() {
        askedAt = System.nanoTime();
    }

    long nanosSinceAsking() {
        return System.nanoTime() - askedAt;
    }

    void receive(String token) {
        this.token = token;
    }
}
