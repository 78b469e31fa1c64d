package dev.latchkey.benchmarks.load;

/** A virtual user of a load, with its present account and token. Used only on the generator's thread. */
public final class User {

    private final int number;
    private String account = "";
    private String token = "";
    private String answer = "";

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
        this.answer = "";
    }

    /** Empty without a token. */
    public String token() {
        return token;
    }

    /** The next piece of the answer to a login. The network may cut the token in two. */
    public void receive(String piece) {
        answer += piece;
        String found = Call.tokenIn(answer);
        if (!found.isEmpty()) {
            token = found;
            answer = "";
        }
    }
}
