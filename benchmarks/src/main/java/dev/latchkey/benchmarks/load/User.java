package dev.latchkey.benchmarks.load;

/** One virtual user of a load: who it is this time, and the token that it was given. Lives on the generator's one thread. */
public final class User {

    private final int number;
    private String account = "";
    private String token = "";

    public User(int number) {
        this.number = number;
    }

    /** From 0, different for each user that is there at the same time. */
    public int number() {
        return number;
    }

    public String account() {
        return account;
    }

    public void become(String account) {
        this.account = account;
        this.token = "";
    }

    /** Empty if it has none. */
    public String token() {
        return token;
    }

    public void receive(String token) {
        this.token = token;
    }
}
