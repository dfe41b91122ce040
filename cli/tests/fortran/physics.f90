! A potential between pairs of atoms, in a module that other files use.
module physics
  use iso_c_binding
  implicit none
contains
  real(c_double) function potential(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(3, n)
    integer :: i, j
    real(c_double) :: r2
    potential = 0
    do i = 1, n
      do j = i + 1, n
        r2 = sum((x(:, i) - x(:, j))**2)
        potential = potential + 1 / r2**6 - 2 / r2**3
      end do
    end do
  end function
end module
