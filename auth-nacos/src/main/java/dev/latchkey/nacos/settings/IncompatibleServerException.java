package dev.latchkey.nacos.settings;

import java.util.List;

/** The server lacks classes that the plugin needs: its release moved them, or its default auth plugin is not there. */
public final class IncompatibleServerException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Names the classes.
     *
     * @param missing at least one class of the server
     */
    public IncompatibleServerException(List<String> missing) {
        super("This server has no " + String.join(", ", missing)
                + ". The plugin is made for Nacos 3.1 with the server's" + " default auth plugin beside this one");
    }
}
