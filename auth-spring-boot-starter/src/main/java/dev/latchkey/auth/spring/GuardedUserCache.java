package dev.latchkey.auth.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.security.core.userdetails.UserCache;
import org.springframework.security.core.userdetails.UserDetails;

/**
 * Notes whose password a provider is about to check.
 *
 * <p>An encoder sees no name, and the limits count by it. The provider asks its cache of users first thing, with the name as it
 * will look it up; what that cache answers stays what it was.
 */
record GuardedUserCache(UserCache delegate) implements UserCache {

    @Override
    public @Nullable UserDetails getUserFromCache(String username) {
        GuardedRequest.loginOf(username);
        return delegate.getUserFromCache(username);
    }

    @Override
    public void putUserInCache(UserDetails user) {
        delegate.putUserInCache(user);
    }

    @Override
    public void removeUserFromCache(String username) {
        delegate.removeUserFromCache(username);
    }
}
