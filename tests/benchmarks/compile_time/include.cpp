// Nothing but the header that a program includes.
#include "device.hpp"
