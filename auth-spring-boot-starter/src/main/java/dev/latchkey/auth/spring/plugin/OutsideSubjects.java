package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.AuthPlugin;
import java.util.Set;

/** A plugin with subjects from sources outside the plugins. The service names these subjects {@code source:id}. */
public interface OutsideSubjects extends AuthPlugin {

    /**
     * The names of the sources.
     *
     * @return the same at every call
     */
    Set<String> outsideSources();
}
