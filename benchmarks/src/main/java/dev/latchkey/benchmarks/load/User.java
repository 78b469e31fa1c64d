package dev.latchkey.benchmarks.load;

/** A virtual user of a load, with its present account and token. Used only on the generator's thread. */
public final class User {

    private final int number;
    private String account = "";
    private String token = "";

    public User(int number) {
        this.number = number;
    }

    /** From 0, different for all parallel users. */
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

    /** Empty without a token. */
    public String token() {
        return token;
    }

    public void receive(String token) {
        this.token = token;
    }
}
